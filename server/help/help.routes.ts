import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { PICTURE_BYTES_MAX, PICTURE_TYPES, PICTURES_MAX, readPicture, storePicture } from './attachments.ts'
import { listHelp, openHelp, readHelp, replyToOperator } from './help.ts'
import { MESSAGE_CHARS_MAX } from './operator.ts'

const Picture = z.object({
  id: z.string(),
  name: z.string(),
  contentType: z.enum(PICTURE_TYPES),
  size: z.int(),
})

export const Thread = z
  .object({
    id: z.string(),
    subject: z.string(),
    state: z.enum(['open', 'answered', 'closed']),
    projectId: z.string().nullable(),
    projectName: z.string().nullable(),
    plan: z.string().describe('The plan of the organization when the conversation was opened.'),
    createdAt: z.iso.datetime(),
    lastActiveAt: z.iso.datetime(),
  })
  .meta({ id: 'HelpThread' })

export const Conversation = Thread.extend({
  messages: z.array(
    z.object({
      id: z.string(),
      author: z.enum(['member', 'operator']),
      name: z.string().nullable().describe('Null for the operator and for a person who was deleted.'),
      body: z.string(),
      attachments: z.array(Picture.extend({ contentType: z.string() })),
      createdAt: z.iso.datetime(),
    }),
  ),
}).meta({ id: 'HelpConversation' })

export const Message = z.object({
  body: z.string().trim().min(1).max(MESSAGE_CHARS_MAX),
  attachments: z
    .array(z.string().max(100))
    .max(PICTURES_MAX)
    .refine((ids) => new Set(ids).size === ids.length, 'must not repeat an id')
    .default([])
    .describe('Ids of POST /help/attachments.'),
})

const NewThread = Message.extend({
  subject: z.string().trim().min(1).max(200),
  projectId: z.string().optional(),
  console: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'What the console says about itself: route, ticket, build, viewport, time zone, locale and the last five failed calls. Kept for the operator; plan and project are never taken from it.',
    ),
})

const MESSAGE_LIMIT = { counter: 'help', per: 'organization', perMinute: 20 } as const

export const helpRoutes = group('Help', {
  listHelp: endpoint({
    route: 'GET /help',
    scope: 'session',
    summary: 'List the conversations with the operator, most recently active first',
    returns: z.array(Thread),
    handle: ({ ctx }) => listHelp(ctx),
  }),
  openHelp: endpoint({
    route: 'POST /help',
    scope: 'session',
    summary: 'Ask the operator of this service',
    description: 'The plan, and the project when one is named, are attached by the service.',
    body: NewThread,
    returns: Conversation,
    fails: ['invalid_request', 'not_found', 'rate_limited'],
    limit: MESSAGE_LIMIT,
    handle: ({ ctx, body }) => openHelp(ctx, body),
  }),
  uploadHelpAttachment: endpoint({
    route: 'POST /help/attachments',
    scope: 'session',
    summary: 'Upload a picture for a message that follows',
    description:
      'The body is the bytes, at most 5 MiB, and their first bytes must be of the type in `Content-Type`. Pass the id in `attachments` of a message within a day; without one the picture is never shown.',
    query: z.object({ name: z.string().trim().min(1).max(200).default('screenshot') }),
    rawBody: { types: PICTURE_TYPES, maxBytes: PICTURE_BYTES_MAX },
    returns: Picture,
    fails: ['invalid_request', 'conflict', 'rate_limited'],
    limit: { counter: 'help upload', per: 'user', perMinute: 20 },
    handle: ({ ctx, request, query }) => storePicture(ctx, request, query.name),
  }),
  readHelpAttachment: endpoint({
    kind: 'bytes',
    route: 'GET /help/attachments/:attachmentId',
    scope: 'session',
    summary: 'Read the bytes of a picture in a message',
    contentType: 'image/*',
    handle: ({ ctx, params }) => readPicture(ctx, ctx.caller.organizationId, params.attachmentId),
  }),
  readHelp: endpoint({
    route: 'GET /help/:threadId',
    scope: 'session',
    summary: 'Read a conversation with all its messages, oldest first',
    returns: Conversation,
    handle: ({ ctx, params }) => readHelp(ctx, params.threadId),
  }),
  replyToHelp: endpoint({
    route: 'POST /help/:threadId/messages',
    scope: 'session',
    summary: 'Write another message, which reopens an answered or closed conversation',
    body: Message,
    returns: Conversation,
    fails: ['invalid_request', 'rate_limited'],
    limit: MESSAGE_LIMIT,
    handle: ({ ctx, params, body }) => replyToOperator(ctx, params.threadId, body),
  }),
})
