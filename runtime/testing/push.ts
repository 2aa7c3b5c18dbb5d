import { env } from 'cloudflare:workers'
import { createPushReceiver, type PushReceiver } from '../push/receiver.ts'
import type { Subscription } from '../push/types.ts'

/** The fake push service in an app's tests. It accepts every notification to an endpoint below this address. */
const SERVICE_URL = 'https://push.slipway.test/send/'

export interface TestPush {
  /** The person who owns the device. */
  userId: string
  title: string
  body: string
  url: string
  tag?: string
}

interface PushBox {
  list(): Promise<{ endpoint: string; message: Uint8Array }[]>
}

const devices = new Map<string, { userId: string; receiver: PushReceiver }>()

export async function newDevice(userId: string): Promise<Subscription> {
  const receiver = await createPushReceiver(`${SERVICE_URL}${crypto.randomUUID()}`)
  devices.set(receiver.subscription.endpoint, { userId, receiver })
  return receiver.subscription
}

/** Returns the notifications that devices received, oldest first. */
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
