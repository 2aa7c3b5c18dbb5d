import { endpoint, group } from '../endpoint.ts'
import { TokenLimitsInput, TokenUse, readTokenUse, setTokenLimits } from './token-limits.ts'

export const tokenLimitRoutes = group('Connections', {
  getTokenUse: endpoint({
    route: 'GET /connections/models/limits',
    scope: 'session',
    summary: 'Read the tokens of this month, and their limits',
    returns: TokenUse,
    handle: ({ ctx }) => readTokenUse(ctx),
  }),
  setTokenLimits: endpoint({
    route: 'PUT /connections/models/limits',
    scope: 'session',
    role: 'admin',
    summary: 'Limit the tokens of a month and of a ticket',
    description:
      'A build that reaches a limit stops before its next model call and keeps its files as a draft; a new one is refused with 403. Queued builds wait for the next month. Deleting projects gives no tokens back.',
    body: TokenLimitsInput,
    returns: TokenUse,
    handle: ({ ctx, body }) => setTokenLimits(ctx, body),
  }),
})
