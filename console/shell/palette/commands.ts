import { type ReactNode, useEffect } from 'react'

/** An action of the current screen, offered in the palette. */
export interface Command {
  id: string
  words: string
  icon: ReactNode
  /** Why it is disabled; null when it is not. */
  reason: string | null
  /** Opens a dialog first if the action cannot be undone. */
  run: () => void
}

const commands = new Map<string, Command>()

/** Adds a command to the palette while the component is mounted. */
export function useCommand(command: Command): void {
  useEffect(() => {
    commands.set(command.id, command)
    return () => {
      if (commands.get(command.id) === command) commands.delete(command.id)
    }
  }, [command])
}

export const currentCommands = (): Command[] => [...commands.values()]
