// Where a run comes from: the server of 'scree view', or elements of this page.

/** @abstract */
export class Source {
  /** Whether there is a server to ask for new frames and exact values. */
  live = false;

  /**
   * @param {string} name
   * @returns {Promise<ArrayBuffer>}
   */
  async bytes(name) {
    throw new Error(`this source holds no ${name}`);
  }

  /** @param {string} name */
  async json(name) {
    return JSON.parse(new TextDecoder().decode(await this.bytes(name)));
  }

  /**
   * One row of a frame at full precision; null if that is not available.
   * @param {number} frame
   * @param {string} kind
   * @param {number} row
   * @returns {Promise<ExactRow | null>}
   */
  async exact(frame, kind, row) {
    return this.live ? this.json(`exact/${frame}/${kind}/${row}`) : null;
  }
}

class ServerSource extends Source {
  live = true;

  /** @param {string} prefix of the names of a second run */
  constructor(prefix) {
    super();
    this.prefix = prefix;
  }

  /** @param {string} name */
  async bytes(name) {
    const answer = await fetch(new URL(this.prefix + name, document.baseURI), {
      cache: "no-store",
    });
    if (!answer.ok) {
      throw new Error((await answer.text()).trim() || `the server answered ${answer.status}`);
    }
    return answer.arrayBuffer();
  }
}

export class EmbeddedSource extends Source {
  /**
   * @param {HTMLElement[]} elements
   * @param {string} prefix of the names of a second run
   */
  constructor(elements, prefix = "") {
    super();
    this.prefix = prefix;
    this.elements = new Map(elements.map((element) => [element.dataset.scree, element]));
  }

  /** @param {string} name */
  async bytes(name) {
    const element = this.elements.get(this.prefix + name);
    if (!element) throw new Error(`this file holds no ${name}`);
    const letters = atob(element.textContent ?? "");
    const packed = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; i++) packed[i] = letters.charCodeAt(i);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).arrayBuffer();
  }
}

/** What a page holds. */
export function embedded(page = document) {
  return [...page.querySelectorAll("script[data-scree]")].map(
    (element) => /** @type {HTMLElement} */ (element),
  );
}

/**
 * @param {string} prefix of the names of a second run
 * @returns {Source}
 */
export function findSource(prefix = "") {
  const elements = embedded();
  return elements.length > 0 ? new EmbeddedSource(elements, prefix) : new ServerSource(prefix);
}

/**
 * The run in a page that 'scree view --html' wrote.
 * @param {File} file
 */
export async function sourceOfFile(file) {
  const head = await file.slice(0, 4).text();
  if (head.endsWith("HDF"))
    throw new Error(
      `A browser cannot read ${file.name} itself: 'scree view A.h5 B.h5' shows two runs side by side; or open here what 'scree view ${file.name} --html FILE' writes.`,
    );
  const page = new DOMParser().parseFromString(await file.text(), "text/html");
  const elements = embedded(page);
  if (!elements.some((element) => element.dataset.scree === "manifest"))
    throw new Error(`${file.name} is not a page that 'scree view --html' wrote.`);
  return new EmbeddedSource(elements);
}
