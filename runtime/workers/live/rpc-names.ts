// Made by `npm run generate` from the folders of the capabilities. Do not edit.

/** The methods of the live worker that a capability handles in its `rpc.ts`, which the first call of one of them loads. */
export const RPC_NAMES = [
  'auth',
  'team',
  'ownFiles',
  'email',
  'ai',
  'pay',
  'timers',
  'queue',
  'connections',
  'hook',
  'renders',
  'videos',
  'push',
  'guard',
  'meter',
] as const
