/* Rounds of unequal work between OpenMP barriers: threads that are done wait for the others. */
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

static double parts[64 * 16];

static double work(long steps) {
  volatile double sum = 0;
  for (long i = 0; i < steps; i++)
    sum += i * 0.5;
  return sum;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 300;
#pragma omp parallel
  {
    int own = omp_get_thread_num();
    for (int round = 0; round < rounds; round++) {
      parts[own * 16] += work(20000L * (1 + (own + round) % 4));
#pragma omp barrier
    }
  }
  printf("%g\n", parts[0]);
  return 0;
}
