/* What a library that passes messages between processes offers to the program. The program loads it only
 * when it has been started as one of several processes, so it needs none to run alone. */
#ifndef SCREE_BACKEND_MESSAGES_H
#define SCREE_BACKEND_MESSAGES_H

#include <scree/scree.h>

typedef struct ScreeMessages {
    ScreeProcesses processes;
    void (*finish)(void);            /* the last call of every process */
    void (*abandon)(int32_t status); /* ends all processes; does not return */
} ScreeMessages;

/* The one function of the library: NULL when messages cannot be passed. */
#define SCREE_MESSAGES_BEGIN "scree_messages_begin"
typedef const ScreeMessages *(*ScreeMessagesBegin)(void);

#endif
