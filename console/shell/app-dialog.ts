import { createStore } from '../lib/store.ts'

/** The open dialog of the app shell; null when none is open. */
export type AppDialog = 'palette' | 'shortcuts' | 'help' | null

const { get, set, subscribe } = createStore<AppDialog>(null)

/** Opens and closes the command palette, the list of shortcuts and the help dialog from anywhere. */
export const appDialog = { get, show: set, subscribe }
