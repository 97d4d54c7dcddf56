/* events.c - the events of a run so far, as notes of a checkpoint */
#include "tool.h"

static const char *key_of(char room[32], const char *what, int i) { return snprintf(room, 32, "%s.%d", what, i), room; }

char *events_note(char *n, const epi_result *r)
{
  char key[32];
  for (int i = 0; i < EPI_EVENT_KINDS; i++) {
    const epi_event_kind *k = &r->event_kind[i];
    if (!k->seen) continue;
    n = notes_add_number(n, key_of(key, "events", i), (double)k->seen);
    n = notes_add_number(n, key_of(key, "events-first", i), k->first);
    n = notes_add_number(n, key_of(key, "events-last", i), k->last);
  }
  for (int i = 0; i < EPI_FIRST_EVENTS && i < r->events; i++) {
    n = notes_add_number(n, key_of(key, "event-t", i), r->first_event[i].t);
    n = notes_add_number(n, key_of(key, "event-kind", i), r->first_event[i].kind);
    n = notes_add_number(n, key_of(key, "event-direction", i), r->first_event[i].direction);
  }
  return n;
}

void events_recall(epi_result *r, const char *notes)
{
  char key[32];
  long events = 0;
  for (int i = 0; i < EPI_EVENT_KINDS; i++) {
    epi_event_kind *k = &r->event_kind[i];
    k->seen = (long)notes_number(notes, key_of(key, "events", i), 0);
    k->first = notes_number(notes, key_of(key, "events-first", i), 0);
    k->last = notes_number(notes, key_of(key, "events-last", i), 0);
    events += k->seen;
  }
  for (int i = 0; i < EPI_FIRST_EVENTS && i < events; i++) {
    r->first_event[i].t = notes_number(notes, key_of(key, "event-t", i), 0);
    r->first_event[i].kind = (int)notes_number(notes, key_of(key, "event-kind", i), 0);
    r->first_event[i].direction = (int)notes_number(notes, key_of(key, "event-direction", i), 0);
  }
}
