import { createStore } from '../lib/store.ts'

/** The open dialog of the frame; null when none is open. */
export type Layer = 'palette' | 'shortcuts' | null

const { get, set, subscribe } = createStore<Layer>(null)

/** Opens and closes the palette and the list of shortcuts from anywhere. */
export const layer = { get, show: set, subscribe }
