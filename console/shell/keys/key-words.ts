const NAMES: Record<string, string> = {
  escape: 'Esc',
  enter: 'Enter',
  arrowdown: '↓',
  arrowup: '↑',
}

/** The keys of a shortcut as they are printed: other ways, each of steps, each of keys held together. */
export function printedKeys(keys: string, isApple: boolean): string[][][] {
  return keys
    .split(',')
    .map((way) => way.split('>').map((step) => step.split('+').map((key) => nameOf(key, isApple))))
}

function nameOf(key: string, isApple: boolean): string {
  if (key === 'mod') return isApple ? '⌘' : 'Ctrl'
  return NAMES[key] ?? key.toUpperCase()
}

/** Whether the keyboard in front of the person has a ⌘ key. */
export const isAppleKeyboard = (): boolean => /mac|iphone|ipad/i.test(navigator.userAgent)
