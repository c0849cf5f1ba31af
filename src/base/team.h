/* Threads that share a loop. What a loop computes must not depend on how it is shared: tasks write to places
   of their own, and sums over tasks are made in their order afterwards. */
#ifndef CAROM_TEAM_H
#define CAROM_TEAM_H

/* Threads for `asked`, 0: as many as the process may use; they are started, so that no loop allocates. */
int carom_team_size(int asked);
/* Calls task(user, k) for k = 0 ... count - 1, by so many threads at most. */
void carom_team_run(int threads, int count, void (*task)(void *user, int k), void *user);
/* Calls range(user, first, end) with consecutive parts of 0 ... count, one a thread; short ones are not shared. */
void carom_team_share(int threads, int count, void (*range)(void *user, int first, int end), void *user);

#endif
