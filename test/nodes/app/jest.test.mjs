import { compileWhere } from 'onwhere';

test('Jest imports the package', () => {
  expect(compileWhere('properties["plan"] == "pro"')({ plan: 'pro' })).toBe(true);
});
