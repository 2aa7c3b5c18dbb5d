import { createContext } from 'react'
import { createStore } from '../lib/store.ts'

export const InAppShell = createContext(false)

/** Whether the screen is shown without navigation, because the account is deleted and no other page can open. */
export const isAccountGone = createStore(false)
