import { run } from '../../scripts/lib.ts'
import type { ServiceProcess } from './service.ts'

/** Returns the text of the newest mail to an address. Uses the command `outbox`, like an operator without a mail server. */
export async function readOutboxMail(service: ServiceProcess, recipient: string): Promise<string> {
  const list = await runOutbox(service, 'list')
  const line = list.split('\n').find((row) => row.includes(` ${recipient}`))
  if (line === undefined) throw new Error(`no mail to ${recipient} among:\n${list}`)
  return runOutbox(service, 'show', line.split(' ')[0] ?? '')
}

export async function readOutboxLink(service: ServiceProcess, recipient: string): Promise<string> {
  return /https?:\/\/\S+/.exec(await readOutboxMail(service, recipient))?.[0] ?? ''
}

async function runOutbox(service: ServiceProcess, ...args: string[]): Promise<string> {
  const { code, output } = await run(process.execPath, ['scripts/outbox.ts', ...args], { env: service.env })
  if (code !== 0) throw new Error(output)
  return output
}
