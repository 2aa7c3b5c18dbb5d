/**
 * An app of the gallery: the sentence from which it is built, and sample records. A record is a list of
 * values in the order of `fields`.
 */
export interface GalleryApp {
  name: string
  sentence: string
  fields: string[]
  records: (string | number | boolean | null)[][]
}

export const GALLERY_APPS: GalleryApp[] = [
  {
    name: 'plants',
    sentence: 'Track the plants in my office: name, room, last watered date',
    fields: ['name', 'room', 'lastWateredDate'],
    records: [
      ['Monstera', 'Kitchen', '2026-11-18'],
      ['Snake plant', 'Meeting room', '2026-11-14'],
      ['Fern', 'Reception', '2026-11-20'],
      ['Rubber tree', 'Kitchen', '2026-11-16'],
      ['Peace lily', 'Library', '2026-11-19'],
      ['Aloe vera', 'Meeting room', null],
    ],
  },
  {
    name: 'orders',
    sentence: 'Track orders with customer, cake, pickup date and status (new, baking, ready)',
    fields: ['customer', 'cake', 'pickupDate', 'status'],
    records: [
      ['Grace Hopper', 'Carrot cake', '2026-11-27', 'new'],
      ['Alan Turing', 'Apple crumble', '2026-11-27', 'new'],
      ['Ada Lovelace', 'Chocolate, two tiers', '2026-11-28', 'baking'],
      ['Hedy Lamarr', 'Lemon tart', '2026-11-26', 'baking'],
      ['Mary Jackson', 'Black Forest', '2026-11-26', 'ready'],
      ['Katherine Johnson', 'Cheesecake', '2026-11-29', 'new'],
    ],
  },
  {
    name: 'expenses',
    sentence: 'Log my expenses: amount, category, date, paid',
    fields: ['amount', 'category', 'date', 'paid'],
    records: [
      [84, 'Travel', '2026-08-12', true],
      [132, 'Office', '2026-09-03', true],
      [46, 'Food', '2026-09-18', true],
      [210, 'Travel', '2026-10-09', true],
      [58, 'Food', '2026-10-22', true],
      [149, 'Software', '2026-11-02', false],
      [37, 'Food', '2026-11-15', false],
    ],
  },
  {
    name: 'lunches',
    sentence: 'Plan team lunches: restaurant, date, who is coming',
    fields: ['restaurant', 'date', 'whoIsComing'],
    records: [
      ['Noodle bar', '2026-11-05', 'Ada, Ben, Grace'],
      ['Pizzeria Roma', '2026-11-12', 'Everyone'],
      ['Green Garden', '2026-11-19', 'Ben, Hedy'],
      ['Taco truck', '2026-11-26', 'Ada, Alan'],
      ['Ramen', '2026-11-26', 'Grace, Mary'],
    ],
  },
  {
    name: 'books',
    sentence: 'Keep track of the books I lend to friends: title, friend, due date',
    fields: ['title', 'friend', 'dueDate'],
    records: [
      ['The Left Hand of Darkness', 'Ben', '2026-12-01'],
      ['Middlemarch', 'Hedy', '2026-12-15'],
      ['A Room of One’s Own', 'Grace', '2026-11-30'],
      ['The Design of Everyday Things', 'Alan', '2027-01-10'],
    ],
  },
  {
    name: 'guestbook',
    sentence: 'A guestbook for our wedding, where people leave a name and a message',
    fields: ['name', 'message'],
    records: [
      ['Aunt Clara', 'What a day! May every year be as bright as this one.'],
      ['Ben', 'The dance floor will never be the same. Thank you for having us.'],
      ['Hedy', 'All the luck in the world to you two.'],
    ],
  },
  {
    name: 'repairs',
    sentence: 'I need a list of repairs with customer, bike and status new, in progress or done',
    fields: ['title', 'customer', 'bike', 'status'],
    records: [
      ['Brakes squeal', 'Jonas', 'Brompton', 'new'],
      ['New chain', 'Lea', 'Gravel bike', 'in progress'],
      ['Flat tyre', 'Mara', 'City bike', 'in progress'],
      ['Yearly check-up', 'Tom', 'Cargo bike', 'done'],
      ['Bent wheel', 'Yuki', 'Road bike', 'new'],
    ],
  },
  {
    name: 'workouts',
    sentence: 'Log my workouts: exercise, date, minutes, notes',
    fields: ['exercise', 'date', 'minutes', 'notes'],
    records: [
      ['Running', '2026-09-20', 42, 'Along the river'],
      ['Swimming', '2026-10-02', 35, null],
      ['Running', '2026-10-11', 50, 'Ten kilometres at last'],
      ['Yoga', '2026-10-25', 30, null],
      ['Swimming', '2026-11-08', 40, null],
      ['Running', '2026-11-21', 55, 'Cold and clear'],
    ],
  },
  {
    name: 'wines',
    sentence: 'Store wine bottles: name, year, price, rating',
    fields: ['name', 'year', 'price', 'rating'],
    records: [
      ['Riesling Spätlese', 2019, 18, 5],
      ['Rioja Reserva', 2016, 24, 4],
      ['Grüner Veltliner', 2022, 12, 4],
      ['Barolo', 2015, 48, 5],
      ['Vinho Verde', 2023, 9, 3],
    ],
  },
  {
    name: 'guests',
    sentence: 'wedding guests - name, coming yes or no, vegetarian, table number',
    fields: ['name', 'coming', 'vegetarian', 'tableNumber'],
    records: [
      ['Aunt Clara', true, false, 1],
      ['Ben', true, true, 2],
      ['Hedy Lamarr', true, false, 2],
      ['Uncle Otto', false, false, null],
      ['Grace Hopper', true, true, 3],
    ],
  },
]
