const KEY_NAMES: Record<string, string> = {
  escape: 'Esc',
  enter: 'Enter',
  arrowdown: '↓',
  arrowup: '↑',
}

/**
 * Returns the labels of a shortcut's keys as nested lists: the alternatives, the steps of each alternative, the keys pressed together in
 * each step.
 */
export function keyLabels(keys: string, isApple: boolean): string[][][] {
  return keys
    .split(',')
    .map((way) => way.split('>').map((step) => step.split('+').map((key) => keyName(key, isApple))))
}

function keyName(key: string, isApple: boolean): string {
  if (key === 'mod') return isApple ? '⌘' : 'Ctrl'
  return KEY_NAMES[key] ?? key.toUpperCase()
}

/** Whether the keyboard has a ⌘ key, guessed from the platform. */
export const isAppleKeyboard = (): boolean => /mac|iphone|ipad/i.test(navigator.userAgent)
