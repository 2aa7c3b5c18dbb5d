import { ObjectReader } from './objects.ts'
import { FLUSH_PACKET, pktLine } from './pkt-line.ts'
import { RECEIVE_CAPABILITIES } from './receive-pack.ts'
import { NO_OBJECT, readRefs } from './refs.ts'
import { UPLOAD_CAPABILITIES } from './upload-pack.ts'

export type GitService = 'git-upload-pack' | 'git-receive-pack'

/** Returns the list of refs in protocol version 0, which every client supports. */
export async function advertise(gitdir: string, service: GitService, defaultBranch: string): Promise<Buffer> {
  const refs = readRefs(gitdir)
  const head = refs.get(`refs/heads/${defaultBranch}`)
  const lines: [oid: string, name: string][] = []
  const reader = new ObjectReader(gitdir)
  if (service === 'git-upload-pack' && head !== undefined) lines.push([head, 'HEAD'])
  for (const [name, oid] of refs) {
    lines.push([oid, name])
    if (service !== 'git-upload-pack' || !name.startsWith('refs/tags/')) continue
    const peeled = await reader.peel(oid)
    if (peeled !== oid) lines.push([peeled, `${name}^{}`])
  }
  if (lines.length === 0) lines.push([NO_OBJECT, 'capabilities^{}'])
  const capabilities =
    service === 'git-receive-pack'
      ? RECEIVE_CAPABILITIES
      : `${UPLOAD_CAPABILITIES}${head === undefined ? '' : ` symref=HEAD:refs/heads/${defaultBranch}`}`
  return Buffer.concat([
    pktLine(`# service=${service}\n`),
    FLUSH_PACKET,
    ...lines.map(([oid, name], i) => pktLine(`${oid} ${name}${i === 0 ? `\0${capabilities}` : ''}\n`)),
    FLUSH_PACKET,
  ])
}
