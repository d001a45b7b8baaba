/* The law rows of a packet as columns, like the rows themselves (packets.h): PACKET_ROWS numbers of
 * one kind, then those of the next. The sweep then reads without gathering, and only the columns
 * that the laws of the packet need; a column is a cache line. Only torques change, and go back. */
#ifndef SCREE_SWEEP_LAW_COLUMNS_H
#define SCREE_SWEEP_LAW_COLUMNS_H

#include "law/terms.h"
#include "problem/problem.h"
#include "sweep/order.h"

/* Columns of bonds, of springs, of torques, of turning walls. */
enum {
    LAW_ADHESION,
    LAW_LEAST,
    LAW_MOST_AT_REST,
    LAW_SOFT_N,
    LAW_MASS_N,
    LAW_SOFT_T,
    LAW_MASS_T,
    LAW_BIAS_T,
    LAW_ROLL = LAW_BIAS_T + 3, /* of the torque */
    LAW_TWIST = LAW_ROLL + 3,
    LAW_ROLLING,
    LAW_TORSION,
    LAW_PER_LENGTH_A,
    LAW_PER_LENGTH_B,
    LAW_COUPLING,
    LAW_MASS_O,
    LAW_MASS_ROLL,
    LAW_PER_SQUARE,
    LAW_TURN,
    LAW_COLUMNS = LAW_TURN + 3
};

enum { TORQUE_COLUMNS = 4 }; /* LAW_ROLL and LAW_TWIST */

/* Which parts a row has. */
static inline unsigned law_parts(const LawRow *l) {
    bool biased = l->bias_t.x != 0 || l->bias_t.y != 0 || l->bias_t.z != 0;
    bool turns = l->turn.x != 0 || l->turn.y != 0 || l->turn.z != 0;
    unsigned parts = l->adhesion != 0 || l->least != 0 || l->most_at_rest != 0 ? LAW_BONDS : 0;
    parts |= l->soft_n != 0 || l->soft_t != 0 || biased ? LAW_SPRINGS : 0;
    parts |= l->torques ? LAW_ROLLS : 0;
    return parts | (l->torques && turns ? LAW_TURNS : 0);
}

static inline void put_law(double *c, int column, double x) {
    c[column * PACKET_ROWS] = x;
}

static inline void put_law3(double *c, int column, Vec3 x) {
    put_law(c, column, x.x);
    put_law(c, column + 1, x.y);
    put_law(c, column + 2, x.z);
}

static inline Torque torque_at(const double *c) {
    const double *t = c + LAW_ROLL * PACKET_ROWS;
    return (Torque){vec3(t[0], t[PACKET_ROWS], t[2 * PACKET_ROWS]), t[3 * PACKET_ROWS]};
}

/* Puts the given parts of a law row into its place of the columns, `c`. NULL stands for the
 * law of a plain row. */
static inline void law_to_columns(const Row *r, const LawRow *l, unsigned parts, double *c) {
    const LawRow none = {.mass_n = r->mass_n, .mass_t = r->mass_t};
    l = l != NULL ? l : &none;
    if ((parts & LAW_BONDS) != 0) {
        put_law(c, LAW_ADHESION, l->adhesion);
        put_law(c, LAW_LEAST, l->least);
        put_law(c, LAW_MOST_AT_REST, l->most_at_rest);
    }
    if ((parts & LAW_SPRINGS) != 0) {
        put_law(c, LAW_SOFT_N, l->soft_n);
        put_law(c, LAW_MASS_N, l->mass_n);
        put_law(c, LAW_SOFT_T, l->soft_t);
        put_law(c, LAW_MASS_T, l->mass_t);
        put_law3(c, LAW_BIAS_T, l->bias_t);
    }
    if ((parts & LAW_ROLLS) != 0) {
        put_law3(c, LAW_ROLL, l->torque.roll);
        put_law(c, LAW_TWIST, l->torque.twist);
        put_law(c, LAW_ROLLING, l->rolling);
        put_law(c, LAW_TORSION, l->torsion);
        put_law(c, LAW_PER_LENGTH_A, l->per_length_a);
        put_law(c, LAW_PER_LENGTH_B, l->per_length_b);
        put_law(c, LAW_COUPLING, l->coupling);
        put_law(c, LAW_MASS_O, l->mass_o);
        put_law(c, LAW_MASS_ROLL, l->mass_roll);
        put_law(c, LAW_PER_SQUARE, l->per_square);
    }
    if ((parts & LAW_TURNS) != 0) {
        put_law3(c, LAW_TURN, l->turn);
    }
}

#endif
