// The client of PostgreSQL, a file of its own that only a home that shares loads.
import pg from 'pg';

export const { Client, DatabaseError } = pg;
