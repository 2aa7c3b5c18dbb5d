import { readdirSync, readFileSync } from 'node:fs'

/** Returns the ids of the running processes below `pid` whose command line contains `part`, the oldest first (Linux only). */
export function descendants(pid: number, part: string): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const status = /^\d+$/.test(name) ? statOf(Number(name)) : null
    if (status && status.state !== 'Z') parents.set(Number(name), status.parent)
  }
  const isBelow = (child: number): boolean => {
    const parent = parents.get(child)
    return parent === pid || (parent !== undefined && parent > 1 && isBelow(parent))
  }
  return [...parents.keys()]
    .filter((child) => isBelow(child) && commandOf(child).includes(part))
    .sort((a, b) => a - b)
}

/** Resolves to true when a process has ended, or ends within ten seconds. */
export async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 500; tries++) {
    const status = statOf(pid)
    if (status === null || status.state === 'Z') return true
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return false
}

function statOf(pid: number): { state: string; parent: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state = '', parent] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { state, parent: Number(parent) }
  } catch {
    return null
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
