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
