require('./half.cjs').runHalf(0);
