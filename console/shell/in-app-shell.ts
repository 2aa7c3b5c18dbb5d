import { createContext } from 'react'
import { createStore } from '../lib/store.ts'

/**
 * Whether the component is rendered inside the app shell, which has the page's `main` element. The page for an unknown address is also
 * shown without the shell.
 */
export const InAppShell = createContext(false)

/** Whether the account is deleted. The navigation is hidden then, because no other page can open. */
export const isAccountGone = createStore(false)
