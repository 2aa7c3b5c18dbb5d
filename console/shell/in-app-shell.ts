import { createContext } from 'react'
import { createStore } from '../lib/store.ts'

export const InAppShell = createContext(false)

/** Whether the account is deleted. The navigation is hidden then, because no other page can open. */
export const isAccountGone = createStore(false)
