// How picture and panel share the window. On a small screen the panel is a sheet that slides over
// the picture.

const SMALL_SCREEN = 760; // pixels
const MARGINS = [70, 24, 84, 24]; // covered by the title, the buttons and the colour bar
const MARGINS_OF_TWO = [128, 24, 84, 24]; // titles stand below the buttons

export class Layout {
  /**
   * @param {HTMLElement} root
   * @param {HTMLElement} panel
   * @param {Picture} picture
   */
  constructor(root, panel, picture) {
    this.root = root;
    this.panel = panel;
    this.picture = picture;
    /** All pictures on screen. */
    this.pictures = [picture];
    if (this.isSmall) root.classList.add("closed");
    window.addEventListener("resize", () => this.update());
  }

  get isSmall() {
    return window.innerWidth < SMALL_SCREEN;
  }

  get isOpen() {
    return !this.root.classList.contains("closed");
  }

  /** Opens the panel unless it would cover the picture. */
  reveal() {
    if (!this.isSmall) this.root.classList.remove("closed");
  }

  /** On a small screen the view is refitted to the part that stays visible. */
  toggle() {
    this.root.classList.toggle("closed");
    this.update();
    if (this.isSmall && this.picture.content) this.picture.stage.view.fit(this.picture.region);
  }

  /** Tells the views which margins are covered. */
  update() {
    for (const { stage } of this.pictures) stage.view.insets = this.insets(stage.holder);
  }

  /** @param {HTMLElement} holder */
  insets(holder) {
    if (!this.isSmall) return this.pictures.length > 1 ? MARGINS_OF_TWO : MARGINS;
    const sheet = this.panel.getBoundingClientRect();
    const picture = holder.getBoundingClientRect();
    const title = holder.querySelector(".title-card")?.getBoundingClientRect().bottom;
    const top = title ? title - picture.top + 8 : 64;
    return [top, 12, this.isOpen ? Math.max(76, picture.bottom - sheet.top + 8) : 76, 12];
  }
}
