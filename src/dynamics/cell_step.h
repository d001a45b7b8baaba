/* What a step does with a periodic cell that deforms (docs/cell.md). */
#ifndef SCREE_DYNAMICS_CELL_STEP_H
#define SCREE_DYNAMICS_CELL_STEP_H

#include "dynamics/step_task.h"

/* Fills in what the cell would do if nothing touched, from the sums of the prediction. */
void scr_predict_cell(const StepParams *with, const State *state, Prediction *free);

/* The cell as a body of the problem, at its free rate. */
CellBody scr_cell_body(const StepParams *with, const State *state, const Prediction *free);

/* Room for what rows have of the cell, once their order is known. */
void scr_reserve_cell_rows(StepTask *task, Arena *arena);

/* The branch vector of a contact, and what the cell adds to its row at most. */
void scr_note_branch(StepTask *task, const Contact *contact, size_t slot);

/* The cell to its new edges, before the bodies move; `work_cell` and `dissipation_scheme` into the
 * report, its energy into the balance. Leaves the mean rate of the step in the problem. */
void scr_move_cell(StepTask *task, State *state, double *gain, ScreeReport *report);

/* Whether it is too oblique. */
bool scr_is_to_flip(const State *state);

/* After the step: other edges where the cell is too oblique. All bodies are back in the cell. */
void scr_flip_cell(State *state);

/* Whether the step would turn the cell inside out, or leave it too thin for its bodies. */
ScreeStatus scr_check_cell(const StepTask *task, char *message);

#endif
