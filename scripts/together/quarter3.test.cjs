require('./quarter.cjs').runQuarter(3);
