import { globSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Task } from './task.ts'

export const OWN_TASKS = join(import.meta.dirname, 'tasks')

/**
 * Loads every `*.task.ts` below `folder`, sorted by name. With `only` it loads the tasks of these names. Throws when there is no task, and
 * for an unknown name.
 */
export async function loadTasks(folder: string, only: readonly string[] = []): Promise<Task[]> {
  const files = globSync('**/*.task.ts', { cwd: folder }).sort()
  if (files.length === 0) throw new Error(`No *.task.ts in ${folder}.`)
  const tasks = await Promise.all(files.map((file) => loadTask(resolve(folder, file))))
  const unknown = only.filter((name) => !tasks.some((task) => task.name === name))
  if (unknown.length > 0)
    throw new Error(`No task ${unknown.join(', ')}. There are: ${tasks.map((task) => task.name).join(', ')}.`)
  return only.length === 0 ? tasks : tasks.filter((task) => only.includes(task.name))
}

async function loadTask(path: string): Promise<Task> {
  const { task } = (await import(pathToFileURL(path).href)) as { task?: Task }
  if (task === undefined) throw new Error(`${path} does not export a "task".`)
  const name = basename(path, '.task.ts')
  if (task.name !== name) throw new Error(`${path} names its task ${task.name}; it must be ${name}.`)
  if (task.tickets.length === 0) throw new Error(`${path} has no tickets.`)
  return task
}
