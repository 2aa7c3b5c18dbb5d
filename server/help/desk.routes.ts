import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { answerFromDesk, closeFromDesk, listDesk, readDesk, readDeskPicture } from './desk.ts'
import { Conversation, Message, Thread } from './help.routes.ts'

const Asking = { organization: z.object({ id: z.string(), name: z.string() }) }
const DeskThread = Thread.extend(Asking).meta({ id: 'DeskThread' })
const DeskConversation = Conversation.extend({
  ...Asking,
  console: z
    .unknown()
    .describe(
      'What the console of the person who asked says about itself. Anyone can write it; null: nothing.',
    ),
}).meta({ id: 'DeskConversation' })

const ANSWER_LIMIT = { counter: 'desk', per: 'user', perMinute: 60 } as const

/**
 * Routes for the members of the operator's organization, which `SLIPWAY_OPERATOR_ORGANIZATION` names. All other
 * callers get a 404.
 */
export const deskRoutes = group('Help desk', {
  listDesk: endpoint({
    route: 'GET /desk',
    scope: 'session',
    needs: ['config'],
    summary: 'List the questions of all organizations, most recently active first, at most 200',
    query: z.object({ state: z.enum(['open', 'answered', 'closed']).default('open') }),
    returns: z
      .array(DeskThread)
      .nullable()
      .describe('Null when the organization does not answer the questions of this service.'),
    handle: ({ ctx, query }) => listDesk(ctx, query.state),
  }),
  readDesk: endpoint({
    route: 'GET /desk/:threadId',
    scope: 'session',
    needs: ['config'],
    summary: 'Read a conversation of any organization',
    returns: DeskConversation,
    handle: ({ ctx, params }) => readDesk(ctx, params.threadId),
  }),
  answerFromDesk: endpoint({
    route: 'POST /desk/:threadId/messages',
    scope: 'session',
    needs: ['config'],
    summary: 'Answer a conversation; the member who wrote last gets a mail',
    description: 'Upload pictures first, with POST /help/attachments.',
    body: Message,
    returns: DeskConversation,
    fails: ['invalid_request', 'rate_limited'],
    limit: ANSWER_LIMIT,
    handle: ({ ctx, params, body }) => answerFromDesk(ctx, params.threadId, body),
  }),
  closeFromDesk: endpoint({
    route: 'POST /desk/:threadId/close',
    scope: 'session',
    needs: ['config'],
    summary: 'Close a conversation; a further message of a member opens it again',
    returns: DeskConversation,
    fails: ['conflict'],
    handle: ({ ctx, params }) => closeFromDesk(ctx, params.threadId),
  }),
  readDeskAttachment: endpoint({
    kind: 'bytes',
    route: 'GET /desk/attachments/:attachmentId',
    scope: 'session',
    needs: ['config'],
    summary: 'Read the bytes of a picture in a message of any organization',
    contentType: 'image/*',
    handle: ({ ctx, params }) => readDeskPicture(ctx, params.attachmentId),
  }),
})
