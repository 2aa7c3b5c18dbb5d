import { readChoice, storeChoice } from '../../lib/stored-choice.ts'

const STORAGE_KEY = 'slipway.letters'

/** Whether shortcuts of a single character are active. People who control the page by voice switch them off (WCAG 2.1.4). */
export function singleKeysEnabled(): boolean {
  return readChoice(STORAGE_KEY) !== 'off'
}

/** Stores the choice. It takes effect with the next key press. */
export function setSingleKeys(act: boolean): void {
  storeChoice(STORAGE_KEY, act ? 'on' : 'off')
}
