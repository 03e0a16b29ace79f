// Light, dark, or as the system says; kept per browser.
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'denizen.theme';
const ORDER: Theme[] = ['system', 'light', 'dark'];

class Look {
  theme = $state<Theme>(ORDER.find((theme) => theme === localStorage.getItem(KEY)) ?? 'system');

  constructor() {
    this.#apply();
  }

  next = (): void => {
    this.theme = ORDER[(ORDER.indexOf(this.theme) + 1) % ORDER.length]!;
    localStorage.setItem(KEY, this.theme);
    this.#apply();
  };

  #apply(): void {
    if (this.theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = this.theme;
  }
}

export const look = new Look();
