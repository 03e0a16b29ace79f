// Asks the browser for a screen, and says in plain words why there is none.

export type Capture = { stream: MediaStream } | { problem: Problem };

export interface Problem {
  title: string;
  text: string;
  /** Nothing is wrong: the person closed the picker. */
  harmless?: boolean;
}

/** Smooth motion is of no use at two pictures a second. */
const FRAMES_PER_SECOND = { ideal: 5, max: 15 };
const PIXELS_WIDE_MAX = 1_920;

/** Whether this browser, at this address, can share at all; known before anything is pressed. */
export function unable(): Problem | null {
  return cannot({ secure: isSecureContext, capable: typeof navigator.mediaDevices?.getDisplayMedia === 'function', host: location.host });
}

export async function capture(): Promise<Capture> {
  const impossible = unable();
  if (impossible) return { problem: impossible };
  // Newer than the types: leave this very tab out, and let the person change their mind in the browser's own bar.
  const wishes = { video: { frameRate: FRAMES_PER_SECOND, width: { max: PIXELS_WIDE_MAX } }, audio: false, selfBrowserSurface: 'exclude', surfaceSwitching: 'include', monitorTypeSurfaces: 'include' };
  try {
    return { stream: await navigator.mediaDevices.getDisplayMedia(wishes as DisplayMediaStreamOptions) };
  } catch (refused) {
    return { problem: inWords(refused instanceof Error ? refused.name : '', refused instanceof Error ? refused.message : String(refused)) };
  }
}

/** Why a screen cannot be shared from here at all; null where it can. */
export function cannot({ secure, capable, host }: { secure: boolean; capable: boolean; host: string }): Problem | null {
  if (capable) return null;
  if (!secure) {
    return {
      title: 'This page has to be opened with https',
      text: `Browsers only share screens with pages that came over https, or from the same machine. Open this link as https://${host}, or on the machine Denizen runs on with http://localhost.`,
    };
  }
  return {
    title: 'This browser cannot share a screen',
    text: 'Phones and tablets cannot, and some browsers will not. Open the link in Chrome, Edge, Firefox or Safari on a computer.',
  };
}

/** What went wrong in the browser's picker. */
export function inWords(name: string, message: string): Problem {
  const said = message ? ` The browser says: “${message}”.` : '';
  switch (name) {
    case 'NotAllowedError':
      if (/by system/i.test(message)) {
        return { title: 'The computer does not let this browser see the screen', text: 'Allow it in the system’s settings (on a Mac: Privacy & Security → Screen & System Audio Recording), start the browser again, then choose once more.' };
      }
      if (/policy/i.test(message)) return { title: 'This page may not share screens', text: `A rule of the browser or of its administrator forbids it.${said}` };
      return { title: 'Nothing was chosen', text: 'The picker was closed, or sharing was not allowed. Nothing was sent. Choose again whenever you like.', harmless: true };
    case 'AbortError':
      return { title: 'Nothing was chosen', text: 'The picker was closed. Nothing was sent. Choose again whenever you like.', harmless: true };
    case 'NotFoundError':
      return { title: 'There is no screen to share', text: `The browser found neither a screen nor a window.${said}` };
    case 'NotReadableError':
      return { title: 'That screen cannot be read', text: `The system would not give its picture. Choose another window, or the whole screen.${said}` };
    case 'InvalidStateError':
      return { title: 'Press the button once more', text: 'The browser only opens its picker right after a press.' };
    default:
      return { title: 'The screen could not be shared', text: `Try again, or choose something else.${said}` };
  }
}
