import { readdirSync, readFileSync } from 'node:fs'

/** Resident memory of one process in MB, without its children. */
export function residentMb(pid: number): number {
  const kb = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kb) / 1024
}

/** The memory in MB that only this process uses. Excludes the program code, which all processes of the same program share. */
export function privateMb(pid: number): number {
  const kb = /^Pss_Anon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
  return Number(kb) / 1024
}

/** The ids of all processes with this name below an ancestor. */
export function childrenNamed(ancestor: number, name: string): number[] {
  const parents = new Map<number, { parent: number; name: string }>()
  for (const entry of readdirSync('/proc').filter((file) => /^\d+$/.test(file))) {
    try {
      const status = readFileSync(`/proc/${entry}/status`, 'utf8')
      const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1])
      parents.set(Number(entry), { parent, name: /^Name:\s+(\S+)/m.exec(status)?.[1] ?? '' })
    } catch {
      // The process has ended since `/proc` was listed.
    }
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid)?.parent
    return parent !== undefined && (parent === ancestor || isBelow(parent))
  }
  return [...parents].filter(([pid, process]) => process.name === name && isBelow(pid)).map(([pid]) => pid)
}
