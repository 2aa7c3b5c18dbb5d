import assert from 'node:assert/strict'
import * as z from 'zod'
import { starterTree } from '../../agent/source/tree.ts'
import type { Cloud } from '../../cloudflare/client.ts'
import { listRules } from '../../cloudflare/products/email.ts'
import { readBindings } from '../../cloudflare/products/workers.ts'
import { type CloudApp, until } from '../../releases/testing.ts'
import type { Client } from '../../testing/app.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Shop',
  uses: ['data', 'email'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    letters: { partition: 'app', read: 'staff', write: 'nobody', fields: { subject: { type: 'text' } } },
  },
  mailboxes: [{ collection: 'letters' }],
}

interface Status {
  zones: { id: string; name: string; status: string }[]
  sending: {
    zoneId: string | null
    domain: string | null
    state: string
    from: string | null
    dns: { type: string; name: string; value: string; present: boolean }[]
  }
  mailboxes: { localPart: string; address: string; collection: string; notify: boolean }[]
  routing: string
  collections: string[]
}
interface Project {
  id: string
  slug: string
}
interface VerifiedSender {
  verified: boolean
  from?: string
  dns: Status['sending']['dns']
}
interface ReplacedMailboxes {
  mailboxes: Status['mailboxes']
  routing: string
}

/** A project whose mail is set up, with its cloud account. */
export class Shop {
  readonly person: Client
  readonly project: Project
  readonly path: string
  readonly account: Cloud
  readonly #cloud: CloudApp

  constructor(cloud: CloudApp, person: Client, project: Project, account: Cloud) {
    this.#cloud = cloud
    this.person = person
    this.project = project
    this.path = `/projects/${project.id}`
    this.account = account
  }

  static async open(cloud: CloudApp, person?: Client): Promise<Shop> {
    const made = person === undefined ? await cloud.personWithProject('Shop') : null
    const owner = made?.person ?? (person as Client)
    const project = made?.project ?? (await owner.call<Project>('POST /projects', { name: 'Shop' })).data
    return new Shop(cloud, owner, project, await cloud.accountOf(owner.organizationId))
  }

  async turnOn(): Promise<this> {
    const { error } = await this.person.call(`PUT ${this.path}/capabilities/email`, { enabled: true })
    assert.equal(error, undefined)
    await this.settled()
    return this
  }
  async settled(): Promise<void> {
    const read = () =>
      this.person.call<{ provision: { state: string; error: { message: string } | null } }>(
        `GET ${this.path}/capabilities/email`,
      )
    await until(async () => (await read()).data.provision.state !== 'creating')
    const { provision } = (await read()).data
    assert.deepEqual([provision.state, provision.error], ['idle', null])
  }
  declareMailboxes(): Promise<string> {
    const tree = new Map([...starterTree('Shop'), ['app.json', JSON.stringify(MANIFEST)]])
    return this.#cloud.build(this.project.id, tree)
  }
  status = () => this.person.call<Status>(`GET ${this.path}/email/status`)
  onboard = (zoneId: string, localPart = 'hello') =>
    this.person.call<Status>(`POST ${this.path}/email/onboard`, { zoneId, localPart })
  verify = () => this.person.call<VerifiedSender>(`POST ${this.path}/email/verify`)
  mailboxes = (...mailboxes: object[]) =>
    this.person.call<ReplacedMailboxes>(`PUT ${this.path}/email/mailboxes`, { mailboxes })

  async zone(status = 'active') {
    const zone = (await this.status()).data.zones.find((one) => one.status === status)
    assert.ok(zone)
    return zone
  }
  /** Returns the live worker's mail settings: the addresses from which the app may send, and the variables. */
  async given() {
    const Shown = z.looseObject({
      text: z.string().optional(),
      allowed_sender_addresses: z.array(z.string()).optional(),
    })
    const bindings = (await readBindings(this.account, `${this.project.slug}-live`)) ?? []
    const byName = new Map(bindings.map((one) => [one.name, Shown.parse(one)]))
    return {
      allowed: byName.get('MAIL')?.allowed_sender_addresses,
      from: byName.get('EMAIL_FROM')?.text,
      mailboxes: JSON.parse(byName.get('EMAIL_MAILBOXES')?.text ?? 'null'),
    }
  }
  async managed(kind: string): Promise<string[]> {
    const { data } = await this.person.call<{ managed: { kind: string; name: string }[] }>(
      `GET ${this.path}/deployments`,
    )
    return data.managed.filter((one) => one.kind === kind).map(({ name }) => name)
  }
  rules = async (zoneId: string) => (await listRules(this.account, zoneId)).map(({ name }) => name).toSorted()
}
