/* Signals that end the work of a command. */
#ifndef CAROM_CLI_SIGNALS_H
#define CAROM_CLI_SIGNALS_H

/* From now on the first Ctrl-C ends the work, a second one the program; a closed output ends neither. */
void watch_signals(void);
/* Number of the signal that ends the work, 0: none. */
int caught_signal(void);

/* From now on a fault, such as a wrong address, ends the program with a sentence and EXIT_SOLVER. */
void watch_faults(void);
/* A thread calls it at its begin: the sentence is told on a stack of its own, for faults that have used up the
   thread's. */
void watch_faults_of_thread(void);

#endif
