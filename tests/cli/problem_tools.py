"""Contact problems for the tests of the program: read FCLIB with h5py, write Siconos' text, and judge a solution, all
with numpy and without Scree."""
import h5py
import numpy as np


def _dense(group):
    """The matrix of a group, by the conventions of FCLIB."""
    rows, columns, nz = (int(group[name][0]) for name in ("m", "n", "nz"))
    p, i, x = group["p"][:], group["i"][:], group["x"][:]
    matrix = np.zeros((rows, columns))
    if nz >= 0:
        np.add.at(matrix, (i[:nz], p[:nz]), x[:nz])
    else:
        line = np.repeat(np.arange(len(p) - 1), np.diff(p))
        np.add.at(matrix, (i, line) if nz == -1 else (line, i), x)
    return matrix


class Problem:
    """A problem in local form, whatever form the file has, with the global parts beside it."""

    def __init__(self, path):
        with h5py.File(path) as file:
            (name,) = [key for key in file if key.startswith("fclib")]
            root = file[name]
            self.block = int(root["spacedim"][0])
            self.mu = root["vectors/mu"][:]
            self.mu_r = root["vectors/mu_r"][:] if "mu_r" in root["vectors"] else None
            self.solution = {key: file["solution"][key][:] for key in file["solution"]} if "solution" in file else {}
            self.is_global = name != "fclib_local"
            if self.is_global:
                self.M, self.H = _dense(root["M"]), _dense(root["H"])
                self.f, self.w = root["vectors/f"][:], root["vectors/w"][:]
                self.W = self.H.T @ np.linalg.solve(self.M, self.H)
                self.q = self.H.T @ np.linalg.solve(self.M, self.f) + self.w
            else:
                self.W, self.q = _dense(root["W"]), root["vectors/q"][:]


def project(block, mu, mu_r, x):
    """Projection on the cone |t| <= mu n, |m| <= mu_r n: the best of all normal parts, each with its best rest."""
    t, m = np.linalg.norm(x[1:3]), np.linalg.norm(x[3:])
    candidates = [0.0]
    for use_t in (False, True):
        for use_m in (False, True):
            n = (x[0] + use_t * mu * t + use_m * mu_r * m) / (1 + use_t * mu**2 + use_m * mu_r**2)
            candidates.append(max(n, 0.0))
    best = None
    for n in candidates:
        y = np.array(x, dtype=float)
        y[0] = n
        if t > mu * n:
            y[1:3] *= mu * n / t
        if block == 5 and m > mu_r * n:
            y[3:] *= mu_r * n / m
        if best is None or np.linalg.norm(x - y) < np.linalg.norm(x - best):
            best = y
    return best


def residual(problem, r):
    """|e| / max(|q|, |r|, |u|) of the natural map with rho = 1, and u."""
    u = problem.W @ r + problem.q
    square = 0.0
    for c, mu in enumerate(problem.mu):
        part = slice(c * problem.block, (c + 1) * problem.block)
        mu_r = problem.mu_r[c] if problem.mu_r is not None else 0.0
        shifted = r[part] - u[part]
        shifted[0] -= mu * np.linalg.norm(u[part][1:3]) + mu_r * np.linalg.norm(u[part][3:])
        square += np.sum((r[part] - project(problem.block, mu, mu_r, shifted)) ** 2)
    return np.sqrt(square) / max(np.linalg.norm(problem.q), np.linalg.norm(r), np.linalg.norm(u)), u


# ---------------------------------------------------------------- Siconos' text

def _numbers(values):
    return " ".join(repr(float(value)) for value in values) + "\n"


def dense_text(matrix):
    rows, columns = matrix.shape
    return f"0\n{rows}\n{columns}\n{rows}\t{columns}\n" + _numbers(matrix.flatten(order="F"))


def block_text(matrix, rows, columns):
    """Rows of dense blocks of rows x columns; those that are zero are left out."""
    count = (matrix.shape[0] // rows, matrix.shape[1] // columns)
    pointers, indices, blocks = [0], [], []
    for i in range(count[0]):
        for k in range(count[1]):
            block = matrix[i * rows:(i + 1) * rows, k * columns:(k + 1) * columns]
            if np.any(block):
                blocks.append(f"{len(indices)}\n" + _numbers(block.flatten(order="F")))
                indices.append(k)
        pointers.append(len(indices))

    def integers(values):
        return "\t".join(str(value) for value in values) + "\n"
    return (f"1\n{matrix.shape[0]}\n{matrix.shape[1]}\n{len(indices)}\n{count[0]}\n{count[1]}\n" +
            integers(rows * (i + 1) for i in range(count[0])) + integers(columns * (k + 1) for k in range(count[1])) +
            f"{len(pointers)}\n{len(indices)}\n" + integers(pointers) + integers(indices) + "".join(blocks))


def sparse_text(matrix, triplets):
    rows, columns = matrix.shape
    places = [(i, k) for k in range(columns) for i in range(rows) if matrix[i, k] != 0]
    head = f"2\n{rows}\n{columns}\n{1 if triplets else 2}\nCSparse Version 3.1.9, May 4, 2016.\n"
    if triplets:
        lines = [f"    {i} {k} : {float(matrix[i, k])!r}\n" for i, k in places]
        return f"{head}triplet: {rows}-by-{columns}, nzmax: {len(places)} nnz: {len(places)}\n" + "".join(lines)
    text, done = f"{head}{rows}-by-{columns}, nzmax: {len(places)} nnz: {len(places)}, 1-norm: 1\n", 0
    for k in range(columns):
        column = [i for i in range(rows) if matrix[i, k] != 0]
        text += f"    col {k} : locations {done} to {done + len(column) - 1}\n"
        text += "".join(f"      {i} : {float(matrix[i, k])!r}\n" for i in column)
        done += len(column)
    return text


def problem_text(problem, write, local):
    """The whole file; `write` makes the text of a matrix from it and the sizes of its blocks."""
    block = problem.block
    text = f"{block}\n{len(problem.mu)}\n"
    if local:
        text += write(problem.W, block, block) + _numbers(problem.q)
    else:
        text += write(problem.M, 1, 1) + write(problem.H, 1, block) + _numbers(problem.f) + _numbers(problem.w)
    return text + _numbers(problem.mu) + (_numbers(problem.mu_r) if problem.mu_r is not None else "")
