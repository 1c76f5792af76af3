"""Multiplies matrices of a size for which OpenBLAS starts its threads, again and again."""
import sys

import numpy

matrix = numpy.random.default_rng(1).random((200, 200))
for _ in range(int(sys.argv[1])):
    matrix = matrix @ matrix
    matrix /= matrix.max()
print(matrix.sum())
