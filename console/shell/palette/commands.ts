import { type ReactNode, useEffect } from 'react'

/** Something the screen can do now, offered in the palette. */
export interface Command {
  id: string
  words: string
  icon: ReactNode
  /** Why it cannot be done now; null when it can. */
  reason: string | null
  /** Whatever cannot be undone opens its dialog here. */
  run: () => void
}

const commands = new Map<string, Command>()

/** Offers something in the palette for as long as the component is on screen. */
export function useCommand(command: Command): void {
  useEffect(() => {
    commands.set(command.id, command)
    return () => {
      if (commands.get(command.id) === command) commands.delete(command.id)
    }
  }, [command])
}

/** What the screens offer now. */
export const currentCommands = (): Command[] => [...commands.values()]
