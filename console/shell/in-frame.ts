import { createContext } from 'react'

/** Whether a page stands beside the navigation, inside the frame's main part, or alone. */
export const InFrame = createContext(false)
