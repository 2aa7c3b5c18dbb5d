import { type ReactNode, useEffect } from 'react'

/** An action of the current page that the command palette offers. */
export interface Command {
  id: string
  words: string
  icon: ReactNode
  /** Why the command is disabled; null when it is enabled. */
  reason: string | null
  /** Runs the command. An action that cannot be undone opens a dialog first. */
  run: () => void
}

const registeredCommands = new Map<string, Command>()

/** Adds a command to the palette while the component is mounted. */
export function useCommand(command: Command): void {
  useEffect(() => {
    registeredCommands.set(command.id, command)
    return () => {
      if (registeredCommands.get(command.id) === command) registeredCommands.delete(command.id)
    }
  }, [command])
}

/** The commands of the mounted components. Read when the palette opens; a command that is registered later appears the next time. */
export const currentCommands = (): Command[] => [...registeredCommands.values()]
