require('./quarter.cjs').runQuarter(1);
