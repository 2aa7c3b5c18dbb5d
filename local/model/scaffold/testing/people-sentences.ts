import type { AccessLevel } from '../reading/access.ts'

/** Sentences about access, with the expected access and lists. */
export const PEOPLE_SENTENCES: [said: string, access: AccessLevel, lists: string][] = [
  ['Track books with title and author. Only members can add.', 'readers', 'books'],
  [
    'A list of recipes, only signed-in people can add or edit, and everyone can read them',
    'readers',
    'recipes',
  ],
  ['Keep track of expenses: amount, date. Everyone sees only their own.', 'own', 'expenses'],
  ['My notes, private to each person', 'own', 'notes'],
  ['Only members can add recipes, everyone can read', 'readers', 'recipes'],
  ['Keep a list of books. Users need to log in to see it. Each user sees their own books.', 'own', 'books'],
  ['Track ideas: title, notes. People sign in first, and only the author can edit.', 'authors', 'ideas'],
  ['Track tools and people have to sign in', 'members', 'tools'],
  ['A todo list with sign in', 'members', 'todos'],
  ['A list of events: title, date. Only staff can add events.', 'staff', 'events'],
  [
    'Track tasks for each project with title and done. Each team sees its own tasks.',
    'team',
    'tasks projects',
  ],
  ['Keep track of invoices: number, amount, date, private to each team', 'team', 'invoices'],
  ['A list of ideas with title and notes, and teams only see their own.', 'team', 'ideas'],
  [
    'Log our visits: customer, date. Only members of the same team can see and change them.',
    'team',
    'visits',
  ],
]

/** Sentences about uploads, with the expected access and lists. */
export const UPLOAD_SENTENCES: [said: string, access: AccessLevel, built: string][] = [
  [
    'Track plants: name, room. People can upload a photo of each plant.',
    'members',
    'plants(name! room photo:file)',
  ],
  [
    'Keep track of expenses: amount, date. Everyone sees only their own, and they can attach a receipt or a PDF.',
    'own',
    'expenses(amount!:number date:date file:file)',
  ],
  [
    'Each person sees their own expenses with receipt photos',
    'own',
    'expenses(title! amount:number date:date category:food|travel|office|other paid? receiptPhoto:file)',
  ],
  ['Track plants with name and picture', 'members', 'plants(name! picture:file)'],
  [
    'A list of tools with name and price. Each team sees its own. Upload a picture of every tool.',
    'team',
    'tools(name! price:number picture:file)',
  ],
]
