require('./quarter.cjs').runQuarter(2);
