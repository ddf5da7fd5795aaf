require('./quarter.cjs').runQuarter(0);
