// How picture and panel share the window. On a small screen the panel is a sheet that slides over
// the picture.

const SMALL_SCREEN = 760; // pixels
const MARGINS = [70, 24, 84, 24]; // covered by the title, the buttons and the colour bar

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

  /** Tells the view which margins are covered. */
  update() {
    const { view, holder } = this.picture.stage;
    if (!this.isSmall) {
      view.insets = MARGINS;
      return;
    }
    const sheet = this.panel.getBoundingClientRect();
    const picture = holder.getBoundingClientRect();
    view.insets = [64, 12, this.isOpen ? Math.max(76, picture.bottom - sheet.top + 8) : 76, 12];
  }
}
