/* board.h - what a test and the command under preload.c both see: which call is to fail, how, and how many there were */
#ifndef BOARD_H
#define BOARD_H
#include "faults.h"

typedef enum { MEMORY, OPEN, READ, WRITE, SEEK, SYNC, CUT, CLOSE, RENAME, REMOVE, FOLDER, OPERATIONS } operation;

/* where a process is killed: before an operation that changes the disk, after it, or in the middle of a write */
typedef enum { BEFORE, AFTER, AMID, MOMENTS } moment;

typedef struct board {
  faults of[OPERATIONS];
  int error;                           /* what errno says of a call that failed; 0: no error, half of a write is written */
  long long room;                      /* bytes that the disk still holds; negative: no end */
  long changes, kill_at, kills;        /* operations that change the disk, and the one at which the process is killed; 0: none */
  moment kill_when;
  long long tick, now;                 /* nanoseconds that pass from one look at the clock to the next; 0: those of the machine */
} board;

#define BOARD "EPICYCLE_BOARD"         /* names the file that holds it; without it nothing is touched */
#define JOURNAL "EPICYCLE_JOURNAL"     /* names a file that gets every change of the disk as an entry, and what was written behind it */

typedef struct entry {
  int what, fd;                        /* an operation; of OPEN flags in `at` */
  long long at, size;                  /* of WRITE the place and the length */
  long length;                         /* bytes that follow, filled up to the next entry: what was written, or names with their ends */
} entry;
static inline long entry_room(long length) { return (length + 7)/8*8; }
#endif
