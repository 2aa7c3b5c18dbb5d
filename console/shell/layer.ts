import { createStore } from '../lib/store.ts'

/** The open dialog of the frame; null when none is open. */
export type Layer = 'palette' | 'shortcuts' | 'help' | null

const { get, set, subscribe } = createStore<Layer>(null)

/** Opens and closes the palette, the list of shortcuts and the question to the operator from anywhere. */
export const layer = { get, show: set, subscribe }
