import { Hono } from 'hono'
import { succeed } from '../kernel/envelope.ts'
import type { Mount } from '../kernel/mount.ts'
import { guardFacts } from './rpc-client.ts'

/** `/_app/guard`: GET, for any visitor, returns the key with which pages get tokens. */
const routes = new Hono().get('/', async () => succeed({ siteKey: (await guardFacts()).siteKey }))

export const mount: Mount = { routes }
