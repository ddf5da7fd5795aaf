require('./half.cjs').runHalf(1);
