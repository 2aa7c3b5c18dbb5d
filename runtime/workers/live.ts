export { AppObject } from '../data/object.ts'
export { Operator } from './live/operator.ts'
export { Preview, Production } from './live/tiers.ts'

export default {
  fetch: () => new Response('This worker has no address.', { status: 404 }),
}
