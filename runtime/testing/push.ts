import { env } from 'cloudflare:workers'
import { newReceiver, type Receiver } from '../push/receiver.ts'
import type { Subscription } from '../push/types.ts'

/** The push service of a checked app: every endpoint of it takes everything. */
const SERVICE = 'https://push.slipway.test/send/'

/** A notification that a device has shown. */
export interface TestPush {
  /** Whose device it was. */
  userId: string
  title: string
  body: string
  url: string
  tag?: string
}

interface PushBox {
  list(): Promise<{ endpoint: string; message: Uint8Array }[]>
}

const devices = new Map<string, { userId: string; receiver: Receiver }>()

/** Makes a device of a person, and returns its subscription. */
export async function newDevice(userId: string): Promise<Subscription> {
  const receiver = await newReceiver(`${SERVICE}${crypto.randomUUID()}`)
  devices.set(receiver.subscription.endpoint, { userId, receiver })
  return receiver.subscription
}

/** Returns what the devices have shown, the oldest first. */
export async function shownPushes(): Promise<TestPush[]> {
  const shown: TestPush[] = []
  for (const { endpoint, message } of await (env['PUSHES'] as PushBox).list()) {
    const device = devices.get(endpoint)
    if (device === undefined) continue
    const content = JSON.parse(await device.receiver.decrypt(message)) as Omit<TestPush, 'userId'>
    shown.push({ userId: device.userId, ...content })
  }
  return shown
}
