import { createContext } from 'react'

/** Whether a page is rendered beside the navigation, or alone. */
export const InFrame = createContext(false)
